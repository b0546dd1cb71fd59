"""What tests, benchmarks and tools share: real servers, players for them, positions of games."""
