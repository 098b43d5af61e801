{{ gate_reasons(['stale']) }}
