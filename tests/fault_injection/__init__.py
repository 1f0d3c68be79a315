"""Whatever happens to servers and their database: no decision that was told is lost, none is doubled, all go on."""
