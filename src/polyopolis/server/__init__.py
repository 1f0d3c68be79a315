"""Tables in the browser: people, seats, sockets, and a store that loses nothing."""
