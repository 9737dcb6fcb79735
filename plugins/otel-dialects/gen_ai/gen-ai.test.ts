import { otelDialectKit } from '../../../plugin-kit/otel-dialect.kit.ts';
import { genAiKit } from './kit.ts';

otelDialectKit(genAiKit);
