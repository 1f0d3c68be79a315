"""The web server: accounts, tables, sockets and durable storage."""
