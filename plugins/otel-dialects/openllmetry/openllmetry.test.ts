import { otelDialectKit } from '../../../plugin-kit/dialects/otel-dialect.kit.ts';
import { openllmetryKit } from './kit.ts';

otelDialectKit(openllmetryKit);
