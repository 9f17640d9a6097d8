#!/usr/bin/env node
// The compiled program has no executable bit, and npm links a workspace before it is built.
import '../dist/cli/main.js';
