"""Whether reviews can be trusted: what levels lose, what luck comes to, what many more futures say of the same."""
