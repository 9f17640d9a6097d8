import { describeScenarios } from './random-elections.ts';

describeScenarios(({ assumes }) => assumes.network === 'complete');
