{{ gate_reasons(['baseline_drift']) }}
