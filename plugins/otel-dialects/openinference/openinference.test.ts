import { otelDialectKit } from '../../../plugin-kit/otel-dialect.kit.ts';
import { openinferenceKit } from './kit.ts';

otelDialectKit(openinferenceKit);
