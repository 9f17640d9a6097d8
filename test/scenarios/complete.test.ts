import { describeScenarios } from './ten-thousand.ts';

describeScenarios(({ assumes }) => assumes.network === 'complete');
