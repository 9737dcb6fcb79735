import { otelDialectKit } from '../../../plugin-kit/otel-dialect.kit.ts';
import { openllmetryKit } from './kit.ts';

otelDialectKit(openllmetryKit);
