"""Image bytes: where they are kept, and what they say they are. The row in the database decides; this only holds bytes."""
