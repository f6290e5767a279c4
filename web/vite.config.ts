// The page is bundled into one file: dist/report.html.
import { readFileSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

/** Call the result what it is: the template of a report. */
function nameTheReport(): Plugin {
    let folder = '';
    return {
        name: 'name-the-report',
        apply: 'build',
        configResolved(config) {
            folder = resolve(config.root, config.build.outDir);
        },
        closeBundle() {
            renameSync(resolve(folder, 'index.html'), resolve(folder, 'report.html'));
        },
    };
}

/** The licences of the packages that are in the page, as they ask for. */
function nameTheLicences(): Plugin {
    const text = (name: string): string =>
        readFileSync(resolve('node_modules', name, 'LICENSE'), 'utf8').replace(/--+>?/g, '-');
    const notice = ['three', 'uplot'].map((name) => `${name}\n\n${text(name).trim()}`).join('\n\n');
    return {
        name: 'name-the-licences',
        apply: 'build',
        transformIndexHtml: {
            order: 'post',
            handler: (html) =>
                html.replace(
                    '</head>',
                    () => `<!--\nThis page contains:\n\n${notice}\n-->\n</head>`,
                ),
        },
    };
}

export default defineConfig({
    base: './',
    build: {
        target: 'es2022',
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        chunkSizeWarningLimit: 2000,
    },
    plugins: [viteSingleFile({ removeViteModuleLoader: true }), nameTheLicences(), nameTheReport()],
});
