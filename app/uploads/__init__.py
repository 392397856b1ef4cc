"""Images that an agent shows: a ticket for one upload, the upload itself, and the image as the inbox reads it."""
