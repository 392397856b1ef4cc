"""Everything the API takes or gives, declared once. It knows nothing of the application."""
