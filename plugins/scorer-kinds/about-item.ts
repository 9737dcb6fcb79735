import type { JudgeModel } from '../../core/plugin-sdk/index.ts';

/** The model, for questions about one item of a request. */
export const aboutItem = (model: JudgeModel, item: number): JudgeModel => ({
  ...(model.files && { files: model.files }),
  ask: (call) => model.ask({ ...call, item }),
});
