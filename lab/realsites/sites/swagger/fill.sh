# Swagger UI from npm: one page, whose content is a specification that its script asks for.
cp "$NODE/node_modules/swagger-ui-dist/"*.{html,css,js,png} "$WWW"
cat > "$WWW/swagger-initializer.js" <<'JS'
window.onload = function () {
  window.ui = SwaggerUIBundle({url: "openapi.json", dom_id: "#swagger-ui", deepLinking: true, presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], plugins: [SwaggerUIBundle.plugins.DownloadUrl], layout: "StandaloneLayout"});
};
JS
{
	printf '{"openapi":"3.0.3","info":{"title":"Boat register","version":"1.0","description":"Every boat of the harbour."},"servers":[{"url":"%sapi"}],"paths":{' "$URL"
	for r in boats berths owners tides; do
		[ $r = boats ] || printf ','
		printf '"/%s":{"get":{"tags":["%s"],"summary":"All %s of the harbour","responses":{"200":{"description":"a list"}}}},"/%s/{id}":{"get":{"tags":["%s"],"summary":"One of the %s","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"}}],"responses":{"200":{"description":"found"}}}}' $r $r $r $r $r $r
	done
	printf '}}'
} > "$WWW/openapi.json"
echo "page /"
echo "part /openapi.json"
