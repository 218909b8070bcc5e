"""The screens; each is imported when it is first shown, so that the program starts fast."""
