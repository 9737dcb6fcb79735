import { callFaults } from './provider-call-faults.ts';
import { failureFaults } from './provider-failure-faults.ts';
import { priceFaults } from './provider-price-faults.ts';
import { settingsFaults } from './provider-settings-faults.ts';
import { stateFaults } from './provider-state-faults.ts';

/** Every mistake in a provider that the kit has to find, each planted alone in a provider that is whole. */
export const providerFaults = [...settingsFaults, ...callFaults, ...failureFaults, ...stateFaults, ...priceFaults];
