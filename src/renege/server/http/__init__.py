"""HTTP and WebSocket: addresses, messages, limits, logs."""
