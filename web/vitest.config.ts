import { defineConfig } from 'vitest/config';

export default defineConfig({
    test: {
        fileParallelism: false,
        projects: [
            { test: { name: 'unit', include: ['tests/unit/*.test.ts'] } },
            {
                test: {
                    name: 'browser',
                    include: ['tests/browser/*.test.ts'],
                    testTimeout: 60_000,
                    hookTimeout: 60_000,
                },
            },
        ],
    },
});
