import { otelDialectKit } from '../../../plugin-kit/dialects/otel-dialect.kit.ts';
import { aiSdkKit } from './kit.ts';

otelDialectKit(aiSdkKit);
