{{ gate_reasons(['open_items', 'closed_unverified', 'too_few_clean_runs', 'moved_to_another_wave']) }}
