"""My City by Reiner Knizia: the eternal game and the episodes of the campaign."""
