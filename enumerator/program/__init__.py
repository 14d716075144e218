"""Programs: values, types, instructions, conditions and tests, as plain frozen data."""
