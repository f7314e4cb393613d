<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (preg_match('#^/weather/([^/]+)$#', rawurldecode((string) $path), $found)) {
    header('Content-Type: application/json');
    echo json_encode(['city' => $found[1], 'tempC' => 19]);
} else {
    http_response_code(404);
}
