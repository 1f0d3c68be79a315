"""A backend that runs in the browser, without a server."""
