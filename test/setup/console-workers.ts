/** How many test files of the console run side by side, each beside a service of its own. A browser and a service are busy. */
export const CONSOLE_WORKERS = 2;
