import { describeScenarios } from './ten-thousand.ts';

describeScenarios(({ assumes }) => assumes.network.endsWith('ring') && (assumes.faults ?? []).length === 0);
