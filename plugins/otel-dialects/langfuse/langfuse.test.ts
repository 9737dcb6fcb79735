import { otelDialectKit } from '../../../plugin-kit/dialects/otel-dialect.kit.ts';
import { langfuseKit } from './kit.ts';

otelDialectKit(langfuseKit);
