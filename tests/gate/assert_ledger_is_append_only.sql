{{ gate_reasons(['record_rewritten']) }}
