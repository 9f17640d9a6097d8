import { describeScenarios } from './random-elections.ts';

describeScenarios(({ assumes }) => assumes.network === 'connected' || assumes.network === 'tree');
