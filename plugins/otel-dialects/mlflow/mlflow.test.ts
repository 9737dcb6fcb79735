import { otelDialectKit } from '../../../plugin-kit/dialects/otel-dialect.kit.ts';
import { mlflowKit } from './kit.ts';

otelDialectKit(mlflowKit);
