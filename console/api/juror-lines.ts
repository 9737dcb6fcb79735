/** A juror as the API shows it. */
export interface Juror {
  readonly model_name: string;
  readonly provider: string | null;
  readonly weight: number;
}

/** One line for each juror: its model, and behind commas the provider and the weight where they are not left open. */
export const toJurorLines = (jurors: readonly Juror[]): string =>
  jurors
    .map(({ model_name, provider, weight }) => {
      if (weight !== 1) return `${model_name}, ${provider ?? ''}, ${weight}`;
      return provider ? `${model_name}, ${provider}` : model_name;
    })
    .join('\n');

/** Throws where a line is none of a juror. */
export function readJurorLines(lines: string): Partial<Juror>[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [model_name = '', provider = '', weight = '', ...rest] = line.split(',').map((part) => part.trim());
      const isWeight = weight === '' || Number(weight) > 0;
      if (model_name === '' || !isWeight || rest.length > 0) throw new Error(`“${line}” is no juror: model, provider, weight`);
      return { model_name, ...(provider && { provider }), ...(weight && { weight: Number(weight) }) };
    });
}
