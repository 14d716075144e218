"""Many tests at once: finding them, and checking each under all that it has expectations for."""
