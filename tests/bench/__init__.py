"""What the product costs against its floor: the same work with nothing of ours in between, measured in the same run."""
