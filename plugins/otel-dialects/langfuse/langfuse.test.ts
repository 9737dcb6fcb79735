import { otelDialectKit } from '../../../plugin-kit/otel-dialect.kit.ts';
import { langfuseKit } from './kit.ts';

otelDialectKit(langfuseKit);
