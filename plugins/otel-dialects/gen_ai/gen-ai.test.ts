import { otelDialectKit } from '../../../plugin-kit/dialects/otel-dialect.kit.ts';
import { genAiKit } from './kit.ts';

otelDialectKit(genAiKit);
