import { otelDialectKit } from '../../../plugin-kit/dialects/otel-dialect.kit.ts';
import { openinferenceKit } from './kit.ts';

otelDialectKit(openinferenceKit);
