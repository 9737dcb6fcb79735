/** `cloud_model_hosting` gives `CloudModelHosting`, `acme/gateway` gives `AcmeGateway`. */
export const pascal = (path: string): string => path.replaceAll(/(?:^|[_/-])(\w)/g, (_, first: string) => first.toUpperCase());
