"""Read, cut, store and search documents, which are about the world and separate from the user's memories."""
