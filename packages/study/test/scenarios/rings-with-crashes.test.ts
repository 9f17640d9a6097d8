import { describeScenarios } from './random-elections.ts';

describeScenarios(({ assumes }) => assumes.network.endsWith('ring') && (assumes.faults ?? []).length > 0);
