"""Small pure functions that decide: decay now; guard, classification and ranking with their issues."""
