"""Point City by Molly Johnson, Robert Melvin and Shawn Stankewich: a market of two-sided cards."""
