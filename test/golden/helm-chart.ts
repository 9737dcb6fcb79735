import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CHART = join(import.meta.dirname, '../../deploy/helm/touchstone');

/** The values that the chart is rendered with. */
export const RENDERINGS = [
  { name: 'default', set: [] },
  {
    name: 'everything',
    set: [
      ...[
        'service.grpcPort=4317',
        'worker.autoscaling.enabled=true',
        'serviceMonitor.enabled=true',
        'prometheusRule.enabled=true',
        'networkPolicy.enabled=true',
      ],
      ...['ingress.enabled=true', 'ingress.className=nginx', 'ingress.hosts[0].host=touchstone.example.com'],
      ...['ingress.tls[0].secretName=touchstone-tls', 'ingress.tls[0].hosts[0]=touchstone.example.com'],
      ...['image.repository=registry.example.com/touchstone', 'image.tag=1.2.3', 'imagePullSecrets[0].name=registry'],
      ...[
        'settings.PUBLIC_URL=https://touchstone.example.com',
        'api.nodeSelector.disk=ssd',
        'serviceAccount.annotations.owner=team',
      ],
    ],
  },
] as const;

/** SHA-256 of all files of the chart, in hexadecimal digits: says whether a rendering is of this chart. */
export function computeChartDigest(): string {
  const hash = createHash('sha256');
  for (const path of globSync('**/*.*', { cwd: CHART }).sort()) hash.update(`${path}\n`).update(readFileSync(join(CHART, path)));
  return hash.digest('hex');
}
