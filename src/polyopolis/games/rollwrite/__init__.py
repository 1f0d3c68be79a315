"""My City: Roll & Write by Reiner Knizia: twelve episodes in four chapters."""
