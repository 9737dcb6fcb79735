import { otelDialectKit } from '../../../plugin-kit/otel-dialect.kit.ts';
import { mlflowKit } from './kit.ts';

otelDialectKit(mlflowKit);
