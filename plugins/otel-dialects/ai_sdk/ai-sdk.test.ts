import { otelDialectKit } from '../../../plugin-kit/otel-dialect.kit.ts';
import { aiSdkKit } from './kit.ts';

otelDialectKit(aiSdkKit);
