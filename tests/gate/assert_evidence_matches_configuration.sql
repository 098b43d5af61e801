{{ gate_reasons(['configuration_changed', 'clock_was_given', 'tables_moved_on']) }}
