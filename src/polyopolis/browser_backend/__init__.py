"""A house in a page: it keeps in the browser and thinks there; nothing of it needs a server."""
