{{ gate_reasons(['configuration_invalid']) }}
